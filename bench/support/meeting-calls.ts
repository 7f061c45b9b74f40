import { setTimeout as sleep } from 'node:timers/promises'
import type { Instance } from './instance.ts'

/** Starts `count` meetings, a few at a time, and returns their ids. */
export async function startMeetings(
  { call }: Pick<Instance, 'call'>,
  count: number,
  bodyOf: (i: number) => object,
): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i += 20) {
    const portion = Array.from({ length: Math.min(20, count - i) }, async (_, k) => {
      const body = { saveTranscript: false, coach: false, ...bodyOf(i + k) }
      const { status, body: answer } = await call('POST', '/api/v1/meetings/start', body)
      if (status !== 201) throw new Error(JSON.stringify(answer))
      return String(answer['meetingId'])
    })
    ids.push(...(await Promise.all(portion)))
  }
  return ids
}

export async function waitUntilAllLive({ call }: Pick<Instance, 'call'>): Promise<void> {
  for (;;) {
    const { body } = await call('GET', '/api/v1/meetings/status')
    const rows = body['meetings'] as Array<{ status: string }>
    if (rows.every(({ status }) => status === 'live')) return
    await sleep(50)
  }
}

export async function stopMeetings(
  { call }: Pick<Instance, 'call'>,
  ids: readonly string[],
): Promise<void> {
  for (const meetingId of ids) await call('POST', '/api/v1/meetings/stop', { meetingId })
  for (;;) {
    const { body } = await call('GET', '/api/v1/meetings/status')
    if ((body['meetings'] as unknown[]).length === 0) return
    await sleep(50)
  }
}
