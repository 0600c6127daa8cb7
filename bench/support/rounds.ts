import type { Load, startLoad } from './load.ts'
import { formatGoal, median } from './report.ts'
import { readMetric } from './server.ts'

/** Load that is measured in every round. */
export interface Variant {
  name: string
  /** CPU time of the server under load, or response time of single requests, which includes the database. */
  measure: 'cpu' | 'time'
  load: Load
  /** Commits data that the requests do not read; see `Load.commitEvery`. */
  commit?: () => Promise<void>
  /** Microseconds per request, one sample per round. */
  samples: number[]
}

/** Measures all variants in turn in every round, so that all have the same conditions. */
export async function measureRounds(
  load: ReturnType<typeof startLoad>,
  variants: readonly Variant[],
  rounds: number,
): Promise<void> {
  for (let round = 0; round <= rounds; round++) {
    for (const variant of variants) {
      const sample = await measure(load, variant)
      // The first round is a warm-up.
      if (round > 0) variant.samples.push(sample)
    }
  }
}

async function measure(load: ReturnType<typeof startLoad>, variant: Variant): Promise<number> {
  const meter = variant.measure === 'cpu' ? () => readCpuTime(variant.load) : async () => performance.now() * 1e3
  const before = await meter()
  await load.run(variant.load, variant.commit)
  return ((await meter()) - before) / variant.load.requests
}

/** Returns the CPU time of the server's process in microseconds. */
async function readCpuTime({ url }: Load): Promise<number> {
  return (await readMetric(new URL(url).origin, 'process_cpu_seconds_total')) * 1e6
}

/** Returns the ratio of two variants: the median over rounds, as both are measured under the same conditions. */
function ratio(variant: Variant, base: Variant): number {
  return median(variant.samples.map((sample, round) => sample / (base.samples[round] as number)))
}

export function formatComparison(base: Variant, variant: Variant, goal?: number): string[] {
  const times = ratio(variant, base)
  const judged = goal === undefined ? '' : formatGoal(times, goal, ' x')
  return [variant.name, String(Math.round(median(variant.samples))), `${times.toFixed(2)} x`, judged]
}
