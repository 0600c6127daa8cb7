/** Token and email address of the administrator that the first start creates. */
export const adminToken = 'oct_bench_administrator_of_this_run'
export const adminEmail = 'admin@example.com'

/** Environment of the servers in benchmarks. */
export const serverEnv = {
  OCTAVO_LOG_LEVEL: 'warn',
  OCTAVO_RATE_LIMIT: '0',
  OCTAVO_BOOTSTRAP_TOKEN: adminToken,
  OCTAVO_ADMIN_EMAIL: adminEmail,
}
