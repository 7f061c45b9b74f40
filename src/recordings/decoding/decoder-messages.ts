/** Sound of all channels that begins at a time of the recording: 16-bit, 16,000 samples per second. */
export type DecodedSound = { startMs: number; channels: Int16Array[] }

/** What the headers of a recording say. */
export type RecordingInfo = {
  /** How people call the kind of file, such as `MP3`. */
  format: string
  codec: string
  channels: number
  sampleRate: number
  /** Null if the file does not say it. */
  durationMs: number | null
  /** Tracks with sound in the file. Only one of them is read. */
  audioTracks: number
}

export type MessageToDecoder =
  | { type: 'open'; size: number; maxMs: number }
  | { type: 'bytes'; id: number; bytes: Uint8Array }
  /** Decode from this time on. The first sound follows, and one more after each `more`. */
  | { type: 'decode'; fromMs: number }
  | { type: 'more' }

export type MessageFromDecoder =
  | { type: 'read'; id: number; start: number; end: number }
  | { type: 'info'; info: RecordingInfo }
  | ({ type: 'sound' } & DecodedSound)
  /** The recording was read to its end, or to this time if the rest is damaged. */
  | { type: 'end'; damagedAtMs: number | null }
  /** The recording cannot be read. A sentence for people. */
  | { type: 'problem'; reason: string }
