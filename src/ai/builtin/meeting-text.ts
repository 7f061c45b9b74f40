/** A meeting as the rules see it. */
export type MeetingText = {
  title: string
  date: string
  path: string
  turns: ReadonlyArray<{ speaker: string; time: string; text: string }>
}
