/** A realtime media stream (RTMS) of a meeting, which Zoom announced with a signed webhook. */
export type ZoomStream = {
  streamId: string
  /** Zoom's id of this occurrence of the meeting. It is part of every signature. */
  meetingUuid: string
  /** The newest address of the signalling server. Zoom sends another one when a server of its own fails. */
  serverUrl: string
  /** Null while the stream runs. `reason` is Zoom's number; null if Zoom only said that there is no such stream. */
  stopped: { reason: number | null } | null
}

/** What the service knows about streams: it stores the webhooks, so that every node can read a stream. */
export interface ZoomStreams {
  /**
   * Reserves the newest running stream of a meeting for the bots with this key. `taken`: the bot of another meeting of
   * the service reads it. Null if no stream runs.
   */
  reserve(meetingNumber: string, key: string): Promise<ZoomStream | 'taken' | null>
  /** The stream that was last reserved for the bots with this key, even if it has stopped. */
  findReserved(key: string): Promise<ZoomStream | null>
  read(streamId: string): Promise<ZoomStream | null>
  /** Zoom does not know the stream any more, although it never said that the stream stopped. */
  markGone(streamId: string): Promise<void>
  /** True if an organization has installed the app, as far as the webhooks of Zoom show. */
  isAppInstalled(): Promise<boolean>
}
