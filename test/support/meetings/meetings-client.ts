import { eventually } from '../time/eventually.ts'
import type { ApiResponse } from '../http/http-client.ts'
import { startService, type TestService } from '../service/start-service.ts'

export type MeetingApiEvent = { type: string; sequence: number; payload: Record<string, unknown> }

/** A program with a key, and the calls it makes about meetings. */
export async function openMeetingsClient(service: TestService) {
  const ada = await service.adminClient()
  const { apiKey, signingSecret, id: tokenId } = await ada.createToken()
  const program = service.anonymousClient()
  const key = { 'x-api-key': apiKey }
  const get = (path: string) => program.get(`/api/v1/meetings${path}`, key)
  return {
    key,
    ada,
    tokenId,
    /** What signs the callbacks of the meetings it starts. */
    signingSecret,
    get,
    /** Anything under /api/v1. */
    ask: (method: string, path: string, body?: unknown): Promise<ApiResponse> =>
      program.request(method, `/api/v1${path}`, body, key),
    post: (
      path: string,
      body: unknown,
      headers: Record<string, string> = {},
    ): Promise<ApiResponse> =>
      program.post(`/api/v1/meetings${path}`, body, { ...key, ...headers }),
    remove: (path: string): Promise<ApiResponse> =>
      program.request('DELETE', `/api/v1/meetings${path}`, undefined, key),
    async start(url: string, more: Record<string, unknown> = {}): Promise<string> {
      const body = { url, callbackUrl: 'http://127.0.0.1:9/hook', ...more }
      const answer = await program.post('/api/v1/meetings/start', body, key)
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
      return answer.body['meetingId'] as string
    },
    /** Waits for a status, one of the final ones by default. */
    async reaches(
      meetingId: string,
      statuses = ['ended', 'error'],
      limitMs?: number,
    ): Promise<Record<string, unknown>> {
      return eventually(async () => {
        const { body } = await get(`/${meetingId}`)
        const meeting = body['meeting'] as Record<string, unknown>
        return statuses.includes(String(meeting['status'])) ? meeting : null
      }, limitMs)
    },
    async events(meetingId: string): Promise<MeetingApiEvent[]> {
      return (await get(`/${meetingId}/events?limit=1000`)).body['events'] as MeetingApiEvent[]
    },
    /** Waits until nothing is left to be delivered, and tells how the callbacks fared. */
    async delivered(meetingId: string, limitMs?: number): Promise<Record<string, unknown>> {
      return eventually(async () => {
        const { body } = await get(`/${meetingId}`)
        const { delivery } = body['meeting'] as { delivery: Record<string, unknown> }
        return delivery['pending'] === 0 ? delivery : null
      }, limitMs)
    },
  }
}

export { startService }
