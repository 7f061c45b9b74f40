import type { ContentPart, LanguageModelUsage, ToolSet } from 'ai'
import { z } from 'zod'
import { estimateTokens } from '../../lib/text/estimate-tokens.ts'
import type { ModelRequest, ModelTool } from '../model.ts'
import { fillUsageWithEstimates, readSdkUsage } from './reported-usage.ts'

/** A round trip that ended: the part of the AI SDK's step that matters for its tokens. */
export type EndedRoundTrip = {
  usage: Pick<LanguageModelUsage, 'inputTokens' | 'inputTokenDetails' | 'outputTokens'>
  content: ReadonlyArray<ContentPart<ToolSet>>
}

/** What the next round trip may use. */
export type RequestPlan = { inputTokens: number; maxOutputTokens: number }

export interface NextRequestPlanner {
  /** Plans the round trip after these. Null when `maxTokens` leaves no room for it. */
  planRequest(steps: readonly EndedRoundTrip[]): RequestPlan | null
  /** The estimated input of the first round trip. */
  readonly firstInputTokens: number
}

/** The fewest output tokens for which a request is worth sending. OpenAI refuses a request that allows fewer. */
const MIN_OUTPUT_TOKENS = 16

/** Divides `maxTokens` of a request among its round trips. Each sends all earlier ones again as input. */
export function createNextRequestPlanner(
  request: Pick<ModelRequest, 'system' | 'prompt' | 'tools' | 'maxOutputTokens' | 'maxTokens'>,
): NextRequestPlanner {
  const { system, prompt, tools, maxOutputTokens, maxTokens } = request
  const toolTokens = tools.reduce((sum, tool) => sum + estimateTool(tool), 0)
  const firstInputTokens = Math.ceil(estimateTokens(system) + estimateTokens(prompt) + toolTokens)
  return {
    firstInputTokens,
    planRequest(steps) {
      let inputTokens = firstInputTokens
      let left = maxTokens
      for (const { usage, content } of steps) {
        const outputEstimate = Math.ceil(estimateContent(content, OUTPUT_TEXTS))
        const estimate = { inputTokens, outputTokens: outputEstimate }
        const used = fillUsageWithEstimates(readSdkUsage(usage), estimate)
        left -= used.inputTokens + used.outputTokens
        const toolResults = Math.ceil(estimateContent(content, TOOL_RESULT_TEXTS))
        inputTokens = used.inputTokens + used.outputTokens + toolResults
      }
      const room = left - inputTokens
      if (room < Math.min(maxOutputTokens, MIN_OUTPUT_TOKENS)) return null
      return { inputTokens, maxOutputTokens: Math.min(maxOutputTokens, room) }
    },
  }
}

function estimateTool({ name, description, input }: ModelTool): number {
  const schema = 'json' in input ? input.json : z.toJSONSchema(input)
  return estimateTokens(`${name} ${description} ${JSON.stringify(schema)}`)
}

type TextReaders = Readonly<Record<string, (part: never) => unknown>>

/** What the model wrote in a round trip. */
const OUTPUT_TEXTS: TextReaders = {
  text: ({ text }: { text: string }) => text,
  reasoning: ({ text }: { text: string }) => text,
  'tool-call': ({ input }: { input: unknown }) => input,
}
/** What the model gets as additional input in the next round trip. */
const TOOL_RESULT_TEXTS: TextReaders = {
  'tool-result': ({ output }: { output: unknown }) => output,
  'tool-error': ({ error }: { error: unknown }) => String(error),
}

function estimateContent(content: EndedRoundTrip['content'], texts: TextReaders): number {
  return content.reduce((sum, part) => {
    const value = texts[part.type]?.(part as never) ?? ''
    return sum + estimateTokens(typeof value === 'string' ? value : JSON.stringify(value))
  }, 0)
}
