import { NO_TRACER, type Span, type Tracer } from '../lib/tracer.ts'
import { createTokenMeter, type Model, type ModelListener, type ModelTool } from './model.ts'
import type { ModelFinder } from './providers.ts'

/** The names of OpenTelemetry's conventions for generative AI, where they differ from ours. */
const PROVIDER_NAMES: Readonly<Record<string, string>> = { google: 'gcp.gemini' }

/** Records each call of a language model and of its tools, without prompts, answers and results. */
export function traceModels(models: ModelFinder, tracer: Tracer): ModelFinder {
  if (tracer === NO_TRACER) return models
  return {
    defaultName: models.defaultName,
    find: async (name) => traceModel(await models.find(name), tracer),
  }
}

function traceModel(model: Model, tracer: Tracer): Model {
  const [provider = '', ...rest] = model.name.split('/')
  const modelName = rest.join('/')
  return {
    name: model.name,
    answer(request, listener, signal) {
      const attributes = {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': PROVIDER_NAMES[provider] ?? provider,
        'gen_ai.request.model': modelName,
        'gen_ai.request.max_tokens': request.maxOutputTokens,
        'gen_ai.request.temperature': request.temperature,
        'gen_ai.output.type': request.format === undefined ? 'text' : 'json',
      }
      return tracer.run(`chat ${modelName}`, { kind: 'client', attributes }, async (span) => {
        const tools = request.tools.map((tool) => traceTool(tool, tracer))
        const metered = meterTokens(listener, span)
        const answer = await model.answer({ ...request, tools }, metered, signal)
        span.set({ 'gen_ai.response.finish_reasons': [answer.truncatedBy ?? 'stop'] })
        return answer
      })
    },
  }
}

function meterTokens(listener: ModelListener, span: Span): ModelListener {
  const meter = createTokenMeter()
  return {
    onText: (text) => listener.onText(text),
    onOpenRequest: (estimate) => listener.onOpenRequest(estimate),
    onTokens(count) {
      meter.onTokens(count)
      const { inputTokens, cachedInputTokens, outputTokens } = meter.usage()
      span.set({
        'gen_ai.usage.input_tokens': inputTokens,
        'gen_ai.usage.cache_read.input_tokens': cachedInputTokens,
        'gen_ai.usage.output_tokens': outputTokens,
      })
      listener.onTokens(count)
    },
  }
}

function traceTool(tool: ModelTool, tracer: Tracer): ModelTool {
  const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': tool.name }
  return {
    ...tool,
    run: (input, signal) =>
      tracer.run(`execute_tool ${tool.name}`, { attributes }, () => tool.run(input, signal)),
  }
}
