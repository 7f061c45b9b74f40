/** Why sound was not recognized, as sentences for people. */
export const LOSS_REASONS = {
  overload: 'This machine could not keep up, so some speech was not recognized.',
  failed: 'Speech recognition failed on this sound twice, so it was skipped.',
  removed: 'Speech recognition was removed during the meeting.',
  late: 'The bot left before all speech was recognized.',
} as const

export function describeUnusableEngine(reason: string): string {
  const line = reason.trim().split('\n').at(-1)?.slice(0, 200) ?? ''
  return `Speech recognition cannot start on this machine: ${line}`
}
