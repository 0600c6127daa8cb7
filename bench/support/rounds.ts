import type { Load, startLoad } from './load.ts'
import { judge, median } from './report.ts'
import { readMetric } from './server.ts'

/** Something that is measured in every round. */
export interface Variant {
  name: string
  /** The server's CPU under load, or the time until the reply to one request at a time, in which the database counts too. */
  measure: 'cpu' | 'time'
  load: Load
  /** Commits something that the requests do not ask for; see `Load.commitEvery`. */
  commit?: () => Promise<void>
  /** Microseconds a request, one of each round. */
  samples: number[]
}

/** Measures all of them again and again, so that each meets the same conditions as the others. */
export async function measureRounds(
  load: ReturnType<typeof startLoad>,
  variants: readonly Variant[],
  rounds: number,
): Promise<void> {
  for (let round = 0; round <= rounds; round++) {
    for (const variant of variants) {
      const sample = await measure(load, variant)
      // The first round warms everything up.
      if (round > 0) variant.samples.push(sample)
    }
  }
}

async function measure(load: ReturnType<typeof startLoad>, variant: Variant): Promise<number> {
  const meter = variant.measure === 'cpu' ? () => cpuOf(variant.load) : async () => performance.now() * 1e3
  const before = await meter()
  await load.run(variant.load, variant.commit)
  return ((await meter()) - before) / variant.load.requests
}

/** Microseconds of CPU that the server's process has used. */
async function cpuOf({ url }: Load): Promise<number> {
  return (await readMetric(new URL(url).origin, 'process_cpu_seconds_total')) * 1e6
}

/** How many times as much one takes as another: the median over rounds, in which both met the same conditions. */
function ratio(variant: Variant, base: Variant): number {
  return median(variant.samples.map((sample, round) => sample / (base.samples[round] as number)))
}

export function against(base: Variant, variant: Variant, goal?: number): string[] {
  const times = ratio(variant, base)
  const judged = goal === undefined ? '' : judge(times, goal, ' x')
  return [variant.name, String(Math.round(median(variant.samples))), `${times.toFixed(2)} x`, judged]
}
