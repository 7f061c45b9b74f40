/** The transcript of a meeting, as input of the built-in reports. */
export type MeetingTranscriptForReport = {
  title: string
  date: string
  path: string
  turns: ReadonlyArray<{ speaker: string; time: string; text: string }>
}
