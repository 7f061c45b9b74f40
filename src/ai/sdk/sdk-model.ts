import type { LanguageModel, Warning } from 'ai'
import type { Log } from '../../log.ts'
import type { Model, ModelAnswer, ModelListener, ModelRequest } from '../model.ts'
import {
  createNonModelResponseFailure,
  isIncompleteStreamError,
  mayBeResponseFormatRefusal,
  toModelFailure,
  wasRequestRefusedOrUnsent,
  type FailureContext,
} from './model-failures.ts'
import { createOpenRequestTokenCounter } from './request-usage.ts'
import { JSON_OUTPUT_MODES, streamAnswer, type JsonOutputMode } from './stream-answer.ts'

// The AI SDK must not print its warnings, because they are logged below.
globalThis.AI_SDK_LOG_WARNINGS = false

/** What earlier requests showed about a model. */
export type ModelStateAcrossRequests = {
  /** The first answer format that the server accepts. */
  format: JsonOutputMode
  loggedWarnings: Set<string>
}

export function createModelStateAcrossRequests(): ModelStateAcrossRequests {
  return { format: 'schema', loggedWarnings: new Set() }
}

/** Further distinct warnings are not logged, to save memory. */
const MAX_LOGGED_WARNINGS = 50

type Parts = Pick<FailureContext, 'secret' | 'addressSetting'> & {
  /** `provider/model` */
  name: string
  languageModel: LanguageModel
  memory: ModelStateAcrossRequests
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

/** Asks for JSON in the first format that the server accepts, and remembers it for the next request. */
async function askInTakenFormat(
  parts: Parts,
  request: ModelRequest,
  listener: ModelListener,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const { memory, name, log } = parts
  let refusal: unknown
  for (const format of JSON_OUTPUT_MODES.slice(JSON_OUTPUT_MODES.indexOf(memory.format))) {
    try {
      const answer = await askOnce(parts, request, format, listener, signal)
      if (format !== memory.format) {
        log.warn({ model: name, format }, 'the model server takes no JSON schema')
        memory.format = format
      }
      return answer
    } catch (error) {
      if (!mayBeResponseFormatRefusal(error)) throw error
      refusal ??= error
    }
  }
  // No format helped, so the first refusal had another cause.
  throw refusal
}

async function askOnce(
  parts: Parts,
  request: ModelRequest,
  format: JsonOutputMode,
  listener: ModelListener,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const counter = createOpenRequestTokenCounter(listener)
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
    // The tokens of an aborted request remain counted as those of the request in progress.
    if (signal.aborted) throw error
    counter.fail(wasRequestRefusedOrUnsent(error))
    if (isIncompleteStreamError(error) && !hasEvents) {
      throw createNonModelResponseFailure({ ...parts, model: parts.name })
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
