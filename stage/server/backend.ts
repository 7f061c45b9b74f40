import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { createCameraRelay } from './camera-relay.ts'
import type { WebSocketConnection } from './web-socket.ts'
import type { StagedMeeting } from '../meeting/staged-meeting.ts'

/** What the HTTP server of the stage needs from the meeting registry. */
export type StageBackend = {
  /** Finds a meeting by any form of its address. */
  findMeeting: (address: string) => StagedMeeting | undefined
  connectPage: (address: string, response: ServerResponse) => void
  receiveReport: (body: string, response: ServerResponse) => void
  attachSocket: (pageId: string, socket: WebSocketConnection, stream: Duplex) => void
  cameras: ReturnType<typeof createCameraRelay>
  findPage: (id: string) => ReturnType<StagedMeeting['pages']['find']>
}
