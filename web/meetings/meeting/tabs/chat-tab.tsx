import { Stack, Text } from '@mantine/core'
import type { WireChat } from '../../../../src/http/shapes/meetings/chat.ts'
import type { WireMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import { QueryView } from '../../../ui/feedback/query-view.tsx'
import { TimeOfDay } from '../../../ui/format/time.tsx'
import { SpeakerName } from '../../speakers/speaker-name.tsx'
import { LoadMoreButton } from '../../../ui/tables/load-more-button.tsx'
import { useChat } from './use-chat.ts'

/** The messages of the meeting chat, separate from the transcript. */
export function ChatTab({ meeting }: { meeting: WireMeetingDetail }) {
  const query = useChat(meeting)
  if (!meeting.storesChat) return <Empty text="The chat of this meeting is not stored." />
  return (
    <QueryView query={query} label="the chat">
      {({ pages }) => {
        const messages = pages.flatMap((page) => page.messages)
        if (messages.length === 0) return <Empty text="No chat messages." />
        return (
          <>
            <Stack component="ol" className="plain-list" gap="sm" aria-label="Chat messages">
              {messages.map((message) => (
                <ChatItem key={message.messageNumber} message={message} />
              ))}
            </Stack>
            <LoadMoreButton query={query} size="xs">
              Load later messages
            </LoadMoreButton>
          </>
        )
      }}
    </QueryView>
  )
}

function ChatItem({
  message: { author, text, timestamp },
}: {
  message: WireChat['messages'][number]
}) {
  return (
    <li>
      <Text component="div" size="sm">
        {author === '' ? <b>Unknown participant</b> : <SpeakerName speaker={author} isSmall />}{' '}
        <Text span size="xs" c="dimmed">
          <TimeOfDay at={timestamp} />
        </Text>
      </Text>
      <Text size="sm" className="break-anywhere" dir="auto">
        {text}
      </Text>
    </li>
  )
}

function Empty({ text }: { text: string }) {
  return (
    <Text size="sm" c="dimmed">
      {text}
    </Text>
  )
}
