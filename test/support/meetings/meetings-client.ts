import { eventually } from '../time/eventually.ts'
import type { ApiResponse } from '../http/http-client.ts'
import { startService, type TestService } from '../service/start-service.ts'

export type MeetingApiEvent = { type: string; sequence: number; payload: Record<string, unknown> }

/** An API client with a new key, and its calls about meetings. */
export async function openMeetingsClient(service: TestService) {
  const admin = await service.adminClient()
  const { apiKey, signingSecret, id: tokenId } = await admin.createToken()
  const program = service.anonymousClient()
  const key = { 'x-api-key': apiKey }
  const get = (path: string) => program.get(`/api/v1/meetings${path}`, key)
  return {
    key,
    admin,
    tokenId,
    /** Signs the callbacks of the meetings that this client starts. */
    signingSecret,
    get,
    /** Sends a request to a path under /api/v1. */
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
    /** Waits until the meeting has one of the statuses; by default a final one. */
    async waitForStatus(
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
    /** Waits until no event is pending, and returns the delivery figures. */
    async waitForDelivery(meetingId: string, limitMs?: number): Promise<Record<string, unknown>> {
      return eventually(async () => {
        const { body } = await get(`/${meetingId}`)
        const { delivery } = body['meeting'] as { delivery: Record<string, unknown> }
        return delivery['pending'] === 0 ? delivery : null
      }, limitMs)
    },
  }
}

export { startService }
