import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../../../faults/cluster/free-port.ts'
import {
  createAccessToken,
  type LivekitKey,
} from '../../../src/bots/platforms/livekit/access-token.ts'
import { startProgram } from '../../support/service/run-program.ts'
import { eventually } from '../../support/time/eventually.ts'

export type RealLivekit = AsyncDisposable & {
  /** `127.0.0.1:PORT` */
  host: string
  key: LivekitKey
  /** Calls a method of the server's RoomService. */
  callRoomService(method: string, room: string, body: object): Promise<unknown>
  /** Ends the server at once, and starts it again. */
  restart(): Promise<void>
}

/** A LiveKit server needs a secret of at least 32 characters. */
export const TEST_KEY: LivekitKey = { apiKey: 'test', apiSecret: 'x'.repeat(40) }

/** Starts a real LiveKit server on loopback. */
export async function openRealLivekit(
  program: string,
  { createsRooms = true }: { createsRooms?: boolean } = {},
): Promise<RealLivekit> {
  const folder = mkdtempSync(join(tmpdir(), 'hansard-livekit-'))
  const [port, tcpPort, udpPort] = [
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
  ]
  const file = join(folder, 'livekit.json')
  writeFileSync(
    file,
    JSON.stringify({
      port,
      bind_addresses: ['127.0.0.1'],
      keys: { [TEST_KEY.apiKey]: TEST_KEY.apiSecret },
      logging: { level: 'error' },
      room: { auto_create: createsRooms },
      rtc: {
        tcp_port: tcpPort,
        udp_port: udpPort,
        node_ip: '127.0.0.1',
        use_external_ip: false,
        enable_loopback_candidate: true,
      },
    }),
  )
  const host = `127.0.0.1:${port}`
  const start = async () => {
    const started = startProgram([program, '--config', file], { cwd: folder })
    await eventually(async () => {
      try {
        return (await fetch(`http://${host}/`)).ok ? true : null
      } catch {
        return null
      }
    })
    return started
  }
  let server = await start()
  return {
    host,
    key: TEST_KEY,
    async callRoomService(method, room, body) {
      const grants = { roomAdmin: true, roomCreate: true }
      const admin = { room, identity: 'admin', name: '', grants }
      const token = createAccessToken(TEST_KEY, admin, Date.now())
      const response = await fetch(`http://${host}/twirp/livekit.RoomService/${method}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ room, ...body }),
      })
      if (!response.ok) throw new Error(`${method}: ${await response.text()}`)
      return response.json()
    },
    async restart() {
      await server[Symbol.asyncDispose]()
      server = await start()
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
