import { AskBox } from '../../ask/ask-box.tsx'
import { MeetingOfPageContext } from '../../ask/source-link.tsx'

/** Asks about the page's meeting. The answer links to lines of the transcript beside it. */
export function AskAboutMeeting({ meetingId }: { meetingId: string }) {
  return (
    <MeetingOfPageContext value={meetingId}>
      <AskBox label="Ask about this meeting" scope={{ meetingId }} />
    </MeetingOfPageContext>
  )
}
