import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

const meetingId = z.string().describe('Id of the meeting, from list_meetings')
const topic = z.string().describe('A few words')
const QUOTE = 'Quote who said it, with the time and the number of the segment.'

/** Prompt templates for common questions about meetings. */
const PROMPTS = [
  {
    name: 'summarise_meeting',
    title: 'Summarise a meeting',
    description: 'Topics, decisions, open questions and action items',
    args: z.object({ meetingId }),
    text: ({ meetingId: id }: Record<string, string>) =>
      `Read the meeting ${id} with get_meeting and its whole transcript with read_transcript, page by page. Then write: the topics in three sentences; decisions; open questions; action items with owner and due date. ${QUOTE} Include only what was said.`,
  },
  {
    name: 'list_action_items',
    title: 'List action items',
    description: 'The action items of a meeting, with owner and due date',
    args: z.object({ meetingId }),
    text: ({ meetingId: id }: Record<string, string>) =>
      `Read the transcript of the meeting ${id} with read_transcript to its end. List every action item: owner, task, due date. ${QUOTE} Mark those without an owner or a date.`,
  },
  {
    name: 'find_decisions',
    title: 'Find decisions',
    description: 'Decisions about a topic over all meetings and documents',
    args: z.object({ topic }),
    text: ({ topic: about }: Record<string, string>) =>
      `Use search for "${about}" in several wordings, and read_transcript around the best results. Say what was decided, when and by whom, newest first, and where one decision replaced another. ${QUOTE}`,
  },
  {
    name: 'prepare_meeting',
    title: 'Prepare for a meeting',
    description: 'A briefing on a topic: status, promises, open questions',
    args: z.object({ topic }),
    text: ({ topic: about }: Record<string, string>) =>
      `I have a meeting about "${about}". Search meetings and documents for it. Write one page: current status, promises, open questions, and three questions worth asking. ${QUOTE}`,
  },
] as const

export function addPrompts(server: McpServer): void {
  for (const { name, title, description, args, text } of PROMPTS) {
    const config = { title, description, argsSchema: args as z.ZodObject }
    server.registerPrompt(name, config, (values) => ({
      messages: [
        { role: 'user', content: { type: 'text', text: text(values as Record<string, string>) } },
      ],
    }))
  }
}
