import type { ModelServerReply, ModelServerRequest } from '../support/tasks/model-server.ts'

/** The prompt that a recap model gets, with the transcript. */
export function readPrompt({ body }: ModelServerRequest): string {
  return String(body.messages.at(-1)?.content)
}

/** Answers with statements that quote the first line of the transcript, and one that quotes nothing that was said. */
export function answerWithRecap(request: ModelServerRequest): ModelServerReply {
  const [, number = '', words = ''] = /\n(\d+) [^:\n]+: ([^\n]+)/.exec(readPrompt(request)) ?? []
  const proven = { text: 'They met.', segmentNumbers: [Number(number)], quote: words }
  const invented = { text: 'Sold!', segmentNumbers: [Number(number)], quote: 'we sold the company' }
  const recap = {
    summary: [proven, invented],
    decisions: [],
    actions: [{ ...proven, text: 'Write it down', owner: '', dueText: '', dueDate: '' }],
    openQuestions: [],
    topics: [],
  }
  return { words: [JSON.stringify(recap)] }
}
