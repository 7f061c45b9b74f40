const size = process.env['TEST_SIZE'] ?? 'part'
if (size !== 'part' && size !== 'full') throw new Error(`TEST_SIZE is part or full, not ${size}`)

export const IS_FULL_SIZE = size === 'full'

/** How many of a test's random cases to try: all with `TEST_SIZE=full`, a sixteenth in a normal run. */
export function scaleRuns(fullRuns: number): number {
  return IS_FULL_SIZE ? fullRuns : Math.ceil(fullRuns / 16)
}
