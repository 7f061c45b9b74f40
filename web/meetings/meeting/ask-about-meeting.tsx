import { AskBox } from '../../ask/ask-box.tsx'
import { MeetingOfPageContext } from '../../ask/source-link.tsx'

/** Asks about the meeting of the page. The answer leads to lines of the transcript beside it. */
export function AskAboutMeeting({ meetingId }: { meetingId: string }) {
  return (
    <MeetingOfPageContext value={meetingId}>
      <AskBox label="Ask about this meeting" scope={{ meetingId }} />
    </MeetingOfPageContext>
  )
}
