/** The token and the address of the administrator that the first start makes. */
export const adminToken = 'oct_bench_administrator_of_this_run'
export const adminEmail = 'admin@example.com'

/** How the servers of benchmarks run. */
export const serverEnv = {
  OCTAVO_LOG_LEVEL: 'warn',
  OCTAVO_RATE_LIMIT: '0',
  OCTAVO_BOOTSTRAP_TOKEN: adminToken,
  OCTAVO_ADMIN_EMAIL: adminEmail,
}
