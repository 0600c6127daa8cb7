/** Upper limits in seconds; most are below 50 ms, where replies should be. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

interface Series {
  count: number
  sum: number
  buckets: number[]
}

/** Returns the HELP and TYPE lines of a metric. */
export const describeMetric = (name: string, type: 'counter' | 'gauge' | 'histogram', help: string): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${type}`

/** Collects the metrics that Prometheus reads at `/metrics`. */
export class Metrics {
  readonly #requests = new Map<string, number>()
  readonly #durations = new Map<string, Series>()
  readonly #gauges: (() => Promise<string> | string)[] = []

  request(operation: string, status: number, milliseconds: number): void {
    const key = `operation="${operation}",status="${status}"`
    this.#requests.set(key, (this.#requests.get(key) ?? 0) + 1)
    let series = this.#durations.get(operation)
    if (!series) this.#durations.set(operation, (series = { count: 0, sum: 0, buckets: buckets.map(() => 0) }))
    const seconds = milliseconds / 1000
    series.count++
    series.sum += seconds
    const bucket = buckets.findIndex((limit) => seconds <= limit)
    if (bucket >= 0) series.buckets[bucket] = (series.buckets[bucket] as number) + 1
  }

  /** Adds a function that returns lines when the metrics are read. */
  addGauge(lines: () => Promise<string> | string): void {
    this.#gauges.push(lines)
  }

  async text(): Promise<string> {
    const lines = [
      describeMetric('octavo_http_requests_total', 'counter', 'Requests answered, by operation and status.'),
    ]
    for (const [labels, count] of this.#requests) lines.push(`octavo_http_requests_total{${labels}} ${count}`)
    lines.push(describeMetric('octavo_http_request_seconds', 'histogram', 'Time to answer a request, by operation.'))
    for (const [operation, series] of this.#durations) {
      const labels = `operation="${operation}"`
      let total = 0
      series.buckets.forEach((count, index) => {
        total += count
        lines.push(`octavo_http_request_seconds_bucket{${labels},le="${buckets[index]}"} ${total}`)
      })
      lines.push(`octavo_http_request_seconds_bucket{${labels},le="+Inf"} ${series.count}`)
      lines.push(`octavo_http_request_seconds_sum{${labels}} ${series.sum}`)
      lines.push(`octavo_http_request_seconds_count{${labels}} ${series.count}`)
    }
    const { rss, heapUsed } = process.memoryUsage()
    lines.push(
      describeMetric('process_resident_memory_bytes', 'gauge', 'Resident memory of the process.'),
      `process_resident_memory_bytes ${rss}`,
      describeMetric('nodejs_heap_used_bytes', 'gauge', 'Used heap of the main thread.'),
      `nodejs_heap_used_bytes ${heapUsed}`,
      describeMetric('process_cpu_seconds_total', 'counter', 'User and system CPU time spent.'),
      `process_cpu_seconds_total ${cpuSeconds()}`,
    )
    for (const gauge of this.#gauges) {
      // Metrics that need the database are omitted while it is down, so that the others can still be read.
      const text = await (async () => gauge())().catch(() => undefined)
      if (text !== undefined) lines.push(text)
    }
    return `${lines.join('\n')}\n`
  }
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
