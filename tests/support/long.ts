/** Whether tests use all of their inputs (`LONG=1`) instead of a sample of them, which takes a fraction of the time. */
export const isLong = process.env['LONG'] === '1'
