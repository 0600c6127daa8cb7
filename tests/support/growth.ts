import { expect } from 'vitest'

/** Ratio of the sizes of the larger and the smaller input. */
const sizeRatio = 4

/** Maximum ratio of the times: linear work takes about 4 times as long for the larger input, quadratic work 16 times. */
const maxGrowth = 10

/** Minimum processor time in milliseconds; shorter work cannot be compared. */
const minMeasuredTime = 60

/**
 * Expects that work takes time proportional to its size. Runs it for a size and for four times that size, and compares the
 * processor time, which does not depend on other processes.
 */
export async function expectLinear(size: number, work: (size: number) => unknown): Promise<void> {
  const measure = async (count: number): Promise<number> => {
    const before = process.cpuUsage()
    await work(count)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
  // The first run compiles the code.
  await work(size)
  let [small, large] = [await measure(size), await measure(size * sizeRatio)]
  // Garbage collection or a compiler thread may have distorted a run.
  for (let attempt = 0; attempt < 2 && isSteep(small, large); attempt++) {
    small = Math.max(small, await measure(size))
    large = Math.min(large, await measure(size * sizeRatio))
  }
  expect({ small, large, isSteep: isSteep(small, large) }).toMatchObject({ isSteep: false })
}

const isSteep = (small: number, large: number): boolean => large > minMeasuredTime && large > maxGrowth * small
