import type { LanguageModel, Warning } from 'ai'
import type { Log } from '../../log.ts'
import type { Model, ModelAnswer, ModelListener, ModelRequest } from '../model.ts'
import {
  createNoEventsFailure,
  isBrokenOff,
  mayRefuseFormat,
  toModelFailure,
  wasRequestRefused,
  type FailureContext,
} from './model-failures.ts'
import { createOpenRequestCounter } from './open-request.ts'
import { ANSWER_FORMATS, streamAnswer, type AnswerFormat } from './stream-answer.ts'

// The AI SDK must not print its warnings: they are logged below.
globalThis.AI_SDK_LOG_WARNINGS = false

/** What was learned about a model in earlier requests. */
export type ModelMemory = {
  /** The first answer format that the server takes. */
  format: AnswerFormat
  loggedWarnings: Set<string>
}

export function createModelMemory(): ModelMemory {
  return { format: 'schema', loggedWarnings: new Set() }
}

/** More distinct warnings than this are not logged, so that the memory stays small. */
const MAX_LOGGED_WARNINGS = 50

type Parts = Pick<FailureContext, 'secret' | 'addressSetting'> & {
  /** `provider/model` */
  name: string
  languageModel: LanguageModel
  memory: ModelMemory
  log: Log
}

/** Adapts a language model of the AI SDK to the `Model` interface. */
export function createSdkModel(parts: Parts): Model {
  const { name, secret, addressSetting } = parts
  return {
    name,
    async answer(request, listener, signal) {
      try {
        return request.format === undefined
          ? await askOnce(parts, request, 'text', listener, signal)
          : await askInTakenFormat(parts, request, listener, signal)
      } catch (error) {
        signal.throwIfAborted()
        throw toModelFailure(error, { model: name, secret, addressSetting })
      }
    },
  }
}

/** Asks for JSON in the first format that the server takes, and remembers it for the next request. */
async function askInTakenFormat(
  parts: Parts,
  request: ModelRequest,
  listener: ModelListener,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const { memory, name, log } = parts
  let refusal: unknown
  for (const format of ANSWER_FORMATS.slice(ANSWER_FORMATS.indexOf(memory.format))) {
    try {
      const answer = await askOnce(parts, request, format, listener, signal)
      if (format !== memory.format) {
        log.warn({ model: name, format }, 'the model server takes no JSON schema')
        memory.format = format
      }
      return answer
    } catch (error) {
      if (!mayRefuseFormat(error)) throw error
      refusal ??= error
    }
  }
  // No format helped, so the first refusal has another cause.
  throw refusal
}

async function askOnce(
  parts: Parts,
  request: ModelRequest,
  format: AnswerFormat,
  listener: ModelListener,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const counter = createOpenRequestCounter(listener)
  let hasEvents = false
  try {
    return await streamAnswer({
      model: parts.languageModel,
      request,
      format,
      listener,
      counter,
      signal,
      onWarnings: (warnings) => logWarnings(parts, warnings),
      onEvent: () => void (hasEvents = true),
    })
  } catch (error) {
    // The tokens of an aborted request stay counted as those of the request in progress.
    if (signal.aborted) throw error
    counter.fail(wasRequestRefused(error))
    if (isBrokenOff(error) && !hasEvents) {
      throw createNoEventsFailure({ ...parts, model: parts.name })
    }
    throw error
  }
}

/** Logs each warning of the AI SDK once per model, for example that the model does not support a setting. */
function logWarnings({ memory, name, log }: Parts, warnings: readonly Warning[]): void {
  for (const warning of warnings) {
    const key = JSON.stringify(warning)
    const isFull = memory.loggedWarnings.size >= MAX_LOGGED_WARNINGS
    if (isFull || memory.loggedWarnings.has(key)) continue
    memory.loggedWarnings.add(key)
    log.warn({ model: name, warning }, 'the AI SDK warned about a request to a language model')
  }
}
