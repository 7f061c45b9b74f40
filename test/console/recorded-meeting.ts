import type { HttpClient } from '../support/http/http-client.ts'
import type { openStagedService } from '../support/service/open-staged-service.ts'
import { eventually } from '../support/time/eventually.ts'

export type Line = [speaker: string, text: string]

/** Final captions of these lines. */
export const toCaptions = (lines: readonly Line[]) =>
  lines.map(([speaker, text], i) => ({
    kind: 'caption' as const,
    captionId: `c${i}`,
    speaker,
    text,
    version: 1,
    isFinal: true,
  }))

export const HOST_ENDED = { kind: 'over' as const, because: 'host_ended' as const }

export async function startStagedMeeting(
  person: HttpClient,
  room: string,
  more: object = {},
): Promise<string> {
  const { body } = await person.post('/web/meetings/start', { url: `stage://${room}`, ...more })
  return String(body['meetingId'])
}

/** Runs a meeting to its end and waits for its recap. Returns its id. */
export async function recordMeeting(
  { stage, ada }: Pick<Awaited<ReturnType<typeof openStagedService>>, 'stage' | 'ada'>,
  room: string,
  lines: readonly Line[],
  more: object = {},
): Promise<string> {
  const meetingId = await startStagedMeeting(ada, room, more)
  stage.room(room).emit({ kind: 'admitted' }, ...toCaptions(lines), HOST_ENDED)
  await eventually(async () => {
    const { status } = await ada.get(`/web/meetings/${meetingId}/recap`)
    return status === 200 ? true : null
  })
  return meetingId
}
