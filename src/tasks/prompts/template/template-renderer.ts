import { createConcurrencyLimit } from '../../../lib/async/queues/concurrency-limit.ts'
import type { Log } from '../../../log.ts'
import type { ParsedPrompt } from '../parse-prompt.ts'
import type { TemplateAnalysis } from './analyze-template.ts'
import type { SentTranscript } from './render-messages.ts'
import { startRenderThread, type RenderThread, type RenderThreadOptions } from './render-thread.ts'
import type { TemplateInputs } from './template-variables.ts'

/** Renders templates in worker threads, so that a template that takes long does not block the service. */
export interface TemplateRenderer extends AsyncDisposable {
  /** Throws a `TemplateFailure` when the template is invalid or exceeds a limit. */
  render(prompt: PromptTemplate, inputs: TemplateInputs): Promise<string>
  /** Finds the variables of a template without rendering it. Throws a `TemplateFailure` when it is invalid. */
  analyze(prompt: PromptTemplate): Promise<TemplateAnalysis>
}

export type PromptTemplate = Pick<ParsedPrompt, 'body' | 'bodyLine'>

type Options = { log: Log; maxThreads: number } & Partial<RenderThreadOptions>

/** Far above the render limit, because a busy machine may delay a thread. */
const STUCK_AFTER_MS = 60_000
const MAX_MEMORY_MB = 256

/** Threads start when they are needed and then stay, so that only the first render waits for a start. */
export function createTemplateRenderer(options: Options): TemplateRenderer {
  const { maxThreads, ...threadOptions } = options
  const limit = createConcurrencyLimit(maxThreads)
  const threads = new Set<RenderThread>()
  const idle: RenderThread[] = []
  let isDisposed = false

  const takeThread = (): RenderThread => {
    // Renders that waited for a thread come here after the others were stopped.
    if (isDisposed) throw new Error('the template renderer was stopped')
    for (let thread = idle.pop(); thread !== undefined; thread = idle.pop()) {
      if (!thread.isEnded()) return thread
      threads.delete(thread)
    }
    const started = startRenderThread({
      stuckAfterMs: STUCK_AFTER_MS,
      maxMemoryMb: MAX_MEMORY_MB,
      ...threadOptions,
    })
    threads.add(started)
    return started
  }
  const withThread = <T>(work: (thread: RenderThread) => Promise<T>): Promise<T> =>
    limit(async () => {
      const thread = takeThread()
      try {
        return await work(thread)
      } finally {
        idle.push(thread)
      }
    })
  return {
    render: ({ body, bodyLine }, inputs) =>
      withThread((thread) => {
        const transcripts = inputs.transcripts.map(withoutRead)
        return thread.render(
          { body, firstLine: bodyLine, inputs: { ...inputs, transcripts } },
          async (index) => (await inputs.transcripts[index]?.read()) ?? '',
        )
      }),
    analyze: ({ body, bodyLine }) => withThread((thread) => thread.analyze(body, bodyLine)),
    async [Symbol.asyncDispose]() {
      isDisposed = true
      await Promise.all([...threads].map((thread) => thread[Symbol.asyncDispose]()))
    },
  }
}

/** A function cannot be sent to a thread. */
function withoutRead(transcript: TemplateInputs['transcripts'][number]): SentTranscript {
  const { read: _read, ...sent } = transcript
  return sent
}
