import { Metrics, describeMetric } from '../http/metrics.ts'
import { countJobs } from '../jobs/queue.ts'
import { listCacheUsage } from '../kernel/cache.ts'
import type { Database } from '../storage/database.ts'

/** Creates the metrics of a process, including those that are computed on request. */
export function createMetrics(database: Database): Metrics {
  const metrics = new Metrics()
  metrics.addGauge(async () => {
    const lines = (await countJobs(database.reader)).map(
      ({ name, state, count }) => `octavo_jobs{kind="${name}",state="${state}"} ${count}`,
    )
    return [describeMetric('octavo_jobs', 'gauge', 'Background jobs, by kind and state.'), ...lines].join('\n')
  })
  metrics.addGauge(formatCacheGauges)
  return metrics
}

function formatCacheGauges(): string {
  const usages = listCacheUsage().map((usage) => ({ ...usage, label: `{cache="${usage.name}"}` }))
  return [
    describeMetric('octavo_cache_bytes', 'gauge', 'Memory used by a cache.'),
    ...usages.map(({ label, bytes }) => `octavo_cache_bytes${label} ${bytes}`),
    describeMetric('octavo_cache_limit_bytes', 'gauge', 'Memory that a cache may use.'),
    ...usages.map(({ label, limit }) => `octavo_cache_limit_bytes${label} ${limit}`),
    describeMetric('octavo_cache_entries', 'gauge', 'Entries of a cache.'),
    ...usages.map(({ label, entries }) => `octavo_cache_entries${label} ${entries}`),
  ].join('\n')
}
