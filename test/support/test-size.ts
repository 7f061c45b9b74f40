const size = process.env['TEST_SIZE'] ?? 'part'
if (size !== 'part' && size !== 'full') throw new Error(`TEST_SIZE is part or full, not ${size}`)

export const IS_FULL_SIZE = size === 'full'

/** How many of the random cases of a test to try: all with `TEST_SIZE=full`, and an eighth in a normal run. */
export function scaleRuns(fullRuns: number): number {
  return IS_FULL_SIZE ? fullRuns : Math.ceil(fullRuns / 8)
}
