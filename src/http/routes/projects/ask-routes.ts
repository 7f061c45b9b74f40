import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { FoundLine } from '../../../access/project-use.ts'
import type { Viewer } from '../../../access/viewer.ts'
import type { Answer, AnswerPassage, CitedLine } from '../../../ask/answer.ts'
import type { AskArea, AskListener } from '../../../ask/area.ts'
import { ServiceError } from '../../../errors.ts'
import { createWakeableSleep } from '../../../lib/async/wake-up.ts'
import { STREAM_HEARTBEAT_MS } from '../../../lib/net/server-sent-events.ts'
import type { Log } from '../../../log.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { defineRoutes, type ApiRequest } from '../../pipeline/define-routes.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { MEETING_SUBJECT, PROJECT_SUBJECT } from '../../pipeline/access/subject-access.ts'
import { toErrorBody, toServiceError } from '../../pipeline/error-handler.ts'
import type { SseMessageOrHeartbeat, SseSender } from '../../pipeline/event-streams.ts'
import { AskBody, AskResponse, AskStreamEvents } from '../../shapes/ask.ts'
import { linkToLine } from './search-routes.ts'

type Parts = {
  ask: AskArea
  streams: SseSender
  log: Log
  mayReadLines(viewer: Viewer, lines: readonly FoundLine[]): Promise<boolean>
}

const STREAM_TYPE = 'text/event-stream'
const STREAM_EXAMPLE =
  'event: sentence\ndata: {"text":"The budget is due on Friday.","citationNumbers":[1],"citations":[…]}\n\n'

/** Questions about meetings and documents. The answers cite lines. */
export function askRoutes(app: FastifyApp, surface: ApiSurface, parts: Parts): void {
  const routes = defineRoutes(app, surface, 'Projects')

  const { ask, streams, mayReadLines } = parts
  routes.post('/ask', {
    allows: 'read',
    subject: ['list', PROJECT_SUBJECT.readInBody, MEETING_SUBJECT.readInBody],
    alsoProduces: [STREAM_TYPE],
    streamExample: STREAM_EXAMPLE,
    summary: 'Ask a question about meetings and documents',
    description:
      'Finds the passages that most likely hold the answer. A language model answers from them; each sentence cites its lines, and sentences without a citation are dropped. Without a model, statements of recaps answer a question about decisions, action items or open questions; for other questions the passages are the answer. With `Accept: text/event-stream` the response has the events `passages`, `sentence` for each checked sentence, and `done` with the whole answer, or `error`.',
    body: AskBody,
    response: AskResponse,
    handler: async (request, reply) => {
      const { from, to, ...body } = request.body
      const question = { ...body, from: toDate(from), to: toDate(to) }
      const signal = streams.abortSignalFor(reply)
      if (!(request.headers.accept ?? '').includes(STREAM_TYPE)) {
        const answer = await ask.run(request.viewer, question, NO_LISTENER, signal)
        // The caller may have lost access while the model answered.
        await streams.requireStillAllowed(request)
        if (!(await mayReadLines(request.viewer, [...answer.passages, ...answer.citations])))
          throw new ServiceError('project_not_found')
        return toApiAnswer(answer, surface)
      }
      const answering = startAnswer(parts, { request, surface, question, signal })
      try {
        await answering.passagesFound
        return await streams.send(request, reply, answering.messages, () =>
          mayReadLines(request.viewer, answering.lines()),
        )
      } catch (error) {
        // Without a stream, no one reads the answer.
        answering.stop()
        throw error
      }
    },
  })
}

const NO_LISTENER: AskListener = { onPassages: () => undefined, onSentence: () => undefined }

function toDate(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text)
}

type StreamedQuestion = {
  request: ApiRequest
  surface: ApiSurface
  question: Parameters<AskArea['run']>[1]
  signal: AbortSignal
}

/** An answer that is being made, even if no one reads its messages. */
type RunningAnswer = {
  /** Rejects if the question is refused, so that the response can be an ordinary error. */
  passagesFound: Promise<void>
  messages(ended: AbortSignal): AsyncGenerator<SseMessageOrHeartbeat>
  /** The lines that the answer may cite. Empty until they are found. */
  lines(): readonly FoundLine[]
  stop(): void
}

function startAnswer(
  { ask, log }: Parts,
  { request, surface, question, signal }: StreamedQuestion,
): RunningAnswer {
  const state = {
    unsent: [] as SseMessageOrHeartbeat[],
    lines: null as readonly FoundLine[] | null,
    isOver: false,
  }
  const wakeUp = createWakeableSleep()
  const passagesFound = Promise.withResolvers<void>()
  // Also aborted if the stream ends early, for example because the caller lost access.
  const stopped = new AbortController()
  const send = (message: SseMessageOrHeartbeat) => {
    state.unsent.push(message)
    wakeUp.wake()
  }
  const listener: AskListener = {
    onPassages(found, lines) {
      const passages = found.map((passage) => toApiPassage(passage, surface))
      send(toMessage('passages', { question: question.question, passages }))
      state.lines = lines
      passagesFound.resolve()
    },
    onSentence(sentence, cited) {
      const citations = cited.map((line) => toApiLine(line, surface))
      send(toMessage('sentence', { ...sentence, citations }))
    },
  }
  const answered = ask
    .run(request.viewer, question, listener, AbortSignal.any([signal, stopped.signal]))
    .then((answer) =>
      send(toMessage('done', { ...toApiAnswer(answer, surface), ...toWarnings(request) })),
    )
    .catch((error: unknown) => {
      if (state.lines === null) return passagesFound.reject(error)
      log.error({ err: error, requestId: request.id }, 'failed to answer a question')
      const body = toErrorBody(toServiceError(error), request)
      send({ event: 'error', data: JSON.stringify(body) })
    })
    .finally(() => {
      state.isOver = true
      wakeUp.wake()
    })
  return {
    passagesFound: passagesFound.promise,
    async *messages(ended) {
      ended.addEventListener('abort', () => stopped.abort())
      try {
        while (!state.isOver) {
          yield* state.unsent.splice(0)
          if (!state.isOver && !(await wakeUp.sleep(STREAM_HEARTBEAT_MS))) yield null
        }
        yield* state.unsent.splice(0)
      } finally {
        stopped.abort()
        await answered
      }
    },
    lines: () => state.lines ?? [],
    stop: () => stopped.abort(),
  }
}

/** The pipeline adds warnings about the request to ordinary responses, but not to streams. */
function toWarnings({ warnings }: FastifyRequest) {
  return warnings === null || warnings.length === 0 ? {} : { warnings }
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
