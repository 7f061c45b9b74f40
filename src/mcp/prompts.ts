import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

const meetingId = z.string().describe('Id of the meeting; list_meetings names them')
const topic = z.string().describe('A few words')
const QUOTE = 'Quote who said it, with the time and the number of the segment.'

/** Asks that come up again and again: what they are called, what they need, and how they are put. */
const PROMPTS = [
  {
    name: 'summarise_meeting',
    title: 'Summarise a meeting',
    description: 'What it was about, what was decided, what is open, who does what',
    args: z.object({ meetingId }),
    text: ({ meetingId: id }: Record<string, string>) =>
      `Read the meeting ${id} with get_meeting and its whole transcript with read_transcript, page by page. Then write: what it was about in three sentences; decisions; open questions; who does what until when. ${QUOTE} Leave out what nobody said.`,
  },
  {
    name: 'list_action_items',
    title: 'Who does what',
    description: 'The tasks that people took on in a meeting',
    args: z.object({ meetingId }),
    text: ({ meetingId: id }: Record<string, string>) =>
      `Read the transcript of the meeting ${id} with read_transcript to its end. List every task that somebody took on or was given: who, what, until when. ${QUOTE} Say which ones have no owner or no date.`,
  },
  {
    name: 'find_decisions',
    title: 'What was decided about…',
    description: 'Decisions about a topic over all meetings and documents',
    args: z.object({ topic }),
    text: ({ topic: about }: Record<string, string>) =>
      `Use search for "${about}" in several wordings, and read_transcript around the best results. Say what was decided about it, when and by whom, the newest first, and where one decision replaced another. ${QUOTE}`,
  },
  {
    name: 'prepare_meeting',
    title: 'Prepare for a meeting',
    description: 'What one should know before talking about a topic',
    args: z.object({ topic }),
    text: ({ topic: about }: Record<string, string>) =>
      `I have a meeting about "${about}". Search meetings and documents for it. Write one page: where things stand, what was promised, what is open, and three questions worth asking. ${QUOTE}`,
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
