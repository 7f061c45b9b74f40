import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AskArea, PreparedQuestion } from '../../../ask/area.ts'
import type { Answer, AnswerPassage, CitedLine } from '../../../ask/answer.ts'
import { createWakeableSleep } from '../../../lib/async/wake-up.ts'
import type { Log } from '../../../log.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { toErrorBody, toServiceError } from '../../pipeline/error-handler.ts'
import type { SseMessageOrHeartbeat, SseSender } from '../../pipeline/event-streams.ts'
import { addUnknownFieldWarnings } from '../../pipeline/validate.ts'
import { AskBody, AskResponse, AskStreamEvents } from '../../shapes/ask.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { linkToLine } from './search-routes.ts'

type Parts = { ask: AskArea; streams: SseSender; log: Log }

const STREAM_TYPE = 'text/event-stream'
const HEARTBEAT_MS = 15_000

/** Questions about meetings and documents, whose answers cite their lines. */
export function askRoutes(app: FastifyApp, surface: ApiSurface, parts: Parts): void {
  const { ask, streams } = parts
  app.post(
    `${surface.prefix}/ask`,
    {
      config: {
        ...surface.read,
        alsoProduces: [STREAM_TYPE],
        errorCodes: ['project_not_found', 'meeting_not_found'],
      },
      schema: {
        summary: 'Ask a question about meetings and documents',
        description:
          'Finds the passages that most likely hold the answer. A language model answers from them; each sentence cites its lines, and sentences without a citation are dropped. Without a model the passages are the answer. With `Accept: text/event-stream` the response has the events `passages`, `sentence` for each checked sentence, and `done` with the whole answer, or `error`.',
        tags: ['Projects'],
        body: AskBody,
        response: { 200: AskResponse },
      },
    },
    async (request, reply) => {
      const prepared = await ask.findPassages(request.body)
      if (!(request.headers.accept ?? '').includes(STREAM_TYPE)) {
        const signal = streams.abortSignalFor(reply)
        const answer = await ask.answer(prepared, { onSentence: () => undefined }, signal)
        return toApiAnswer(answer, surface)
      }
      return streams.send(request, reply, (signal) =>
        streamAnswer(parts, { request, surface, prepared, signal }),
      )
    },
  )
}

type StreamedQuestion = {
  request: FastifyRequest
  surface: ApiSurface
  prepared: PreparedQuestion
  signal: AbortSignal
}

async function* streamAnswer(
  { ask, log }: Parts,
  { request, surface, prepared, signal }: StreamedQuestion,
): AsyncGenerator<SseMessageOrHeartbeat> {
  const { question } = prepared
  const passages = prepared.passages.map((passage) => toApiPassage(passage, surface))
  yield toMessage('passages', { question, passages })
  const unsent: SseMessageOrHeartbeat[] = []
  const wakeUp = createWakeableSleep()
  // Aborted also when the stream ends early, for example because the API key was revoked.
  const stopped = new AbortController()
  const onSentence = (sentence: Answer['sentences'][number], cited: CitedLine[]) => {
    const citations = cited.map((line) => toApiLine(line, surface))
    unsent.push(toMessage('sentence', { ...sentence, citations }))
    wakeUp.wake()
  }
  let last: SseMessageOrHeartbeat = null
  const answering = ask
    .answer(prepared, { onSentence }, AbortSignal.any([signal, stopped.signal]))
    .then((answer) => {
      const response = addUnknownFieldWarnings(request, toApiAnswer(answer, surface))
      last = toMessage('done', response as z.output<typeof AskStreamEvents.done>)
    })
    .catch((error: unknown) => {
      log.error({ err: error, requestId: request.id }, 'failed to answer a question')
      last = { event: 'error', data: JSON.stringify(toErrorBody(toServiceError(error), request)) }
    })
    .finally(wakeUp.wake)
  try {
    while (last === null) {
      yield* unsent.splice(0)
      if (last === null && !(await wakeUp.sleep(HEARTBEAT_MS))) yield null
    }
    yield* unsent.splice(0)
    yield last
  } finally {
    stopped.abort()
    await answering
  }
}

function toMessage<Name extends keyof typeof AskStreamEvents>(
  event: Name,
  data: z.output<(typeof AskStreamEvents)[Name]>,
): SseMessageOrHeartbeat {
  const schema: z.ZodType = AskStreamEvents[event]
  return { event, data: JSON.stringify(z.encode(schema, data)) }
}

function toApiAnswer(answer: Answer, surface: ApiSurface) {
  return {
    ...answer,
    citations: answer.citations.map((line) => toApiLine(line, surface)),
    passages: answer.passages.map((passage) => toApiPassage(passage, surface)),
  }
}

function toApiPassage({ before, after, ...line }: AnswerPassage, surface: ApiSurface) {
  return {
    ...toApiLine(line, surface),
    before: before.map((one) => toApiLine(one, surface)),
    after: after.map((one) => toApiLine(one, surface)),
  }
}

function toApiLine({ at: timestamp, ...line }: CitedLine, surface: ApiSurface) {
  return { ...line, timestamp, link: linkToLine(line, surface) }
}
