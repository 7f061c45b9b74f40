import { sql } from 'kysely'
import { storeMeeting, type SpokenMeeting } from '../../bench/support/spoken-meetings.ts'
import { connectToDatabase } from '../../src/db/database.ts'
import type { ApiAnswer, ApiAskBody } from '../../src/http/shapes/ask.ts'
import { readServerSentEvents } from '../../src/lib/net/server-sent-events.ts'
import { createLog } from '../../src/log.ts'
import { MEETING_OPTIONS } from '../support/meetings/seed-meeting.ts'
import { openProjectsService } from '../support/projects-service.ts'
import type { ModelServerRequest } from '../support/tasks/model-server.ts'

export type AskEvent = { event: string; data: Record<string, unknown> }

/** A service that answers questions, and a client for it. `modelUrl` is the address of its model, if it has one. */
export async function openAskService(modelUrl: string | null, env: Record<string, string> = {}) {
  await using stack = new AsyncDisposableStack()
  const model =
    modelUrl === null
      ? {}
      : { HANSARD_AI_MODEL: 'openai-compatible/m', HANSARD_AI_BASE_URL: modelUrl }
  const library = stack.use(
    await openProjectsService({ HANSARD_RATE_LIMIT: 'off', ...model, ...env }),
  )
  const { service, program } = library
  const database = await connectToDatabase(
    { connectionString: service.databaseUrl },
    { max: 2, log: createLog('silent') },
  )
  stack.defer(database.close)
  const url = `http://127.0.0.1:${service.port}/api/v1/ask`
  const post = (body: ApiAskBody, accept: string, signal?: AbortSignal) =>
    fetch(url, {
      method: 'POST',
      headers: { ...program.key, 'content-type': 'application/json', accept },
      body: JSON.stringify(body),
      ...(signal !== undefined && { signal }),
    })
  const opened = stack.move()
  return {
    ...library,
    db: database.db,
    /** Stores an ended meeting. */
    async addMeeting(
      meeting: Pick<SpokenMeeting, 'name' | 'title' | 'lines'>,
      place?: { project?: string; startedAt?: Date },
    ): Promise<string> {
      const id = await storeMeeting(database.db, meeting, place)
      const options = JSON.stringify(MEETING_OPTIONS)
      await sql`update meeting set status = 'ended', options = ${options} where id = ${id}`.execute(
        database.db,
      )
      return id
    },
    ask: (body: Record<string, unknown>) => program.ask('POST', '/ask', body),
    async answer(body: ApiAskBody): Promise<ApiAnswer> {
      const { status, body: answer } = await program.ask('POST', '/ask', body)
      if (status !== 200) throw new Error(JSON.stringify(answer))
      return answer as unknown as ApiAnswer
    },
    /** Yields the events of a streamed answer as they arrive. */
    async *stream(body: ApiAskBody, signal?: AbortSignal): AsyncGenerator<AskEvent> {
      const response = await post(body, 'text/event-stream', signal)
      const chunks = response.body?.pipeThrough(new TextDecoderStream()) ?? new ReadableStream()
      for await (const { event, data } of readServerSentEvents(chunks)) {
        yield { event, data: JSON.parse(data) as Record<string, unknown> }
      }
    },
    post,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** What the model was sent after its rules. */
export function promptOf(request: ModelServerRequest | undefined): string {
  return String(request?.body.messages.at(-1)?.content)
}

/** The numbers and texts of the lines that a model was given. */
export function listGivenLines(
  request: ModelServerRequest,
): Array<{ number: number; text: string }> {
  return [...promptOf(request).matchAll(/^\[(\d+)\] (.*)$/gm)].map(([, number, text = '']) => ({
    number: Number(number),
    text,
  }))
}
