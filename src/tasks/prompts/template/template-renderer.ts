import { Worker } from 'node:worker_threads'
import { createConcurrencyLimit } from '../../../lib/async/queues.ts'
import { workerModuleUrl } from '../../../lib/async/run-in-thread.ts'
import { errorCode, errorMessageOf } from '../../../lib/error-code.ts'
import type { Log } from '../../../log.ts'
import type { ParsedPrompt } from '../parse-prompt.ts'
import type { TemplateAnalysis } from './render-template.ts'
import { TemplateFailure } from './template-failure.ts'
import type { TemplateInputs } from './template-variables.ts'

export type PromptTemplate = Pick<ParsedPrompt, 'body' | 'bodyLine'>

type Options = { log: Log; maxThreads: number } & Partial<RenderThreadOptions>

/** Far above the render limit, because a busy machine may delay a thread. */
const STUCK_AFTER_MS = 60_000
const MAX_MEMORY_MB = 256

/** A transcript without the function that reads its text. */
type SentTranscript = Omit<TemplateInputs['transcripts'][number], 'read'>

/** A template to render. Transcripts are sent without text: the worker requests the texts that the template uses. */
export type RenderRequest = {
  body: string
  firstLine: number
  inputs: Omit<TemplateInputs, 'transcripts'> & { transcripts: SentTranscript[] }
}

export type MessageToRenderWorker =
  | { type: 'render'; request: RenderRequest }
  | { type: 'analyze'; body: string; firstLine: number }
  | { type: 'text'; readId: number; text: string }
  | { type: 'unreadable'; readId: number; message: string }

export type MessageFromRenderWorker =
  /** Requests the text of the transcript at this index. */
  | { type: 'read'; readId: number; index: number }
  | { type: 'rendered'; text: string }
  | { type: 'analyzed'; analysis: TemplateAnalysis }
  /** The template is invalid or exceeds a limit. */
  | { type: 'invalid'; message: string; line: number | null }
  | { type: 'failed'; error: unknown }

/** The thread's current work. Each kind of work expects one kind of result. */
type Work = {
  onText(text: string): void
  onAnalysis(analysis: TemplateAnalysis): void
  reject(error: unknown): void
  readText(index: number): Promise<string>
}

type RenderThreadOptions = {
  log: Log
  /** A thread that sends nothing for this long is ended. It may be in a filter that does not check the render limit. */
  stuckAfterMs: number
  /** A template that needs more memory ends the thread, but not the service. */
  maxMemoryMb: number
}

/** Threads start when they are needed and then stay, so that only the first render waits for a start. */
export function createTemplateRenderer(options: Options) {
  const { maxThreads, ...threadOptions } = options
  const limit = createConcurrencyLimit(maxThreads)
  const threads = new Set<RenderThread>()
  const idle: RenderThread[] = []
  let isDisposed = false

  const takeThread = (): RenderThread => {
    // Renders that were waiting arrive here after the threads were stopped.
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
    /** Throws a `TemplateFailure` if the template is invalid or exceeds a limit. */
    render: ({ body, bodyLine }: PromptTemplate, inputs: TemplateInputs) =>
      withThread((thread) => {
        const transcripts = inputs.transcripts.map(withoutRead)
        return thread.render(
          { body, firstLine: bodyLine, inputs: { ...inputs, transcripts } },
          async (index) => (await inputs.transcripts[index]?.read()) ?? '',
        )
      }),
    /** Finds the variables of a template without rendering it. Throws a `TemplateFailure` if it is invalid. */
    analyze: ({ body, bodyLine }: PromptTemplate) =>
      withThread((thread) => thread.analyze(body, bodyLine)),
    async [Symbol.asyncDispose]() {
      isDisposed = true
      await Promise.all([...threads].map((thread) => thread[Symbol.asyncDispose]()))
    },
  }
}

/** Renders templates in worker threads, so that a slow template does not block the service. */
export type TemplateRenderer = ReturnType<typeof createTemplateRenderer>

/** A function cannot be sent to a thread. */
function withoutRead(transcript: TemplateInputs['transcripts'][number]): SentTranscript {
  const { read: _read, ...sent } = transcript
  return sent
}

/** A worker thread that renders one template at a time. */
function startRenderThread(options: RenderThreadOptions) {
  const { log, stuckAfterMs, maxMemoryMb } = options
  const worker = new Worker(workerModuleUrl('render-worker', import.meta.url), {
    // The thread needs no settings, so it gets no secrets.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
  })
  let current: Work | null = null
  let hasEnded = false
  let watchdog: NodeJS.Timeout | undefined

  const post = (message: MessageToRenderWorker) => {
    worker.postMessage(message)
    clearTimeout(watchdog)
    watchdog = setTimeout(() => endThread(limitExceeded('template render')), stuckAfterMs)
  }
  /** Ends the current render. An idle thread must not keep the process running. */
  const finish = (): Work | null => {
    clearTimeout(watchdog)
    worker.unref()
    const finished = current
    current = null
    return finished
  }
  const endThread = (error: unknown) => {
    hasEnded = true
    finish()?.reject(error)
    void worker.terminate()
  }
  const answerRead = async (work: Work, readId: number, index: number) => {
    const answer: MessageToRenderWorker = await work.readText(index).then(
      (text) => ({ type: 'text', readId, text }),
      (error: unknown) => ({ type: 'unreadable', readId, message: errorMessageOf(error) }),
    )
    if (current === work) post(answer)
  }
  const handlers: {
    [Type in MessageFromRenderWorker['type']]: (
      message: Extract<MessageFromRenderWorker, { type: Type }>,
    ) => void
  } = {
    read({ readId, index }) {
      clearTimeout(watchdog)
      if (current !== null) void answerRead(current, readId, index)
    },
    rendered: ({ text }) => finish()?.onText(text),
    analyzed: ({ analysis }) => finish()?.onAnalysis(analysis),
    invalid: ({ message, line }) => finish()?.reject(new TemplateFailure(message, { line })),
    failed: ({ error }) => finish()?.reject(error),
  }
  const start = (work: Work, message: MessageToRenderWorker) => {
    current = work
    worker.ref()
    post(message)
  }
  worker.unref()
  worker.on('message', (message: MessageFromRenderWorker) =>
    handlers[message.type](message as never),
  )
  worker.on('error', (error) => {
    if (current === null) log.error({ err: error }, 'idle template worker failed')
    const isMemory = errorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY'
    endThread(isMemory ? limitExceeded('memory alloc') : error)
  })
  worker.on('exit', () => endThread(new Error('the template worker ended')))

  return {
    isEnded: () => hasEnded,
    /** `readText` returns the text of the transcript at an index. */
    render(request: RenderRequest, readText: (index: number) => Promise<string>): Promise<string> {
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      start({ onText: resolve, onAnalysis: ignore, reject, readText }, { type: 'render', request })
      return promise
    },
    analyze(body: string, firstLine: number): Promise<TemplateAnalysis> {
      const { promise, resolve, reject } = Promise.withResolvers<TemplateAnalysis>()
      const readText = async () => ''
      start(
        { onText: ignore, onAnalysis: resolve, reject, readText },
        { type: 'analyze', body, firstLine },
      )
      return promise
    },
    async [Symbol.asyncDispose]() {
      endThread(new Error('the template worker was stopped'))
      await worker.terminate()
    },
  }
}

type RenderThread = ReturnType<typeof startRenderThread>

function ignore(): void {}

function limitExceeded(resource: string): TemplateFailure {
  return new TemplateFailure(`Template: ${resource} limit exceeded`)
}
