import { Button } from '@mantine/core'
import type { ApiMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import type { ApiRecap } from '../../../../src/http/shapes/meetings/recap.ts'
import { CopyButton } from '../../../ui/copy.tsx'
import { formatHourAndMinute } from '../../../ui/format/time.tsx'
import { formatAbsolute } from '../../../ui/format/time-texts.ts'
import { saveTextFile, toFileName } from '../../../ui/save-file.ts'
import type { CitedLine } from '../../cited-lines.tsx'
import { formatRecap } from './recap-text.ts'

interface RecapExportButtonsProps {
  recap: ApiRecap
  meeting: ApiMeetingDetail
  lines: ReadonlyMap<number, CitedLine>
}

/** Copies the recap as formatted text and as Markdown, or saves it as a Markdown file. */
export function RecapExportButtons({ recap, meeting, lines }: RecapExportButtonsProps) {
  const format = () =>
    formatRecap({
      title: meeting.title,
      date: formatAbsolute(meeting.startedAt, 'minute'),
      recap,
      lines,
      formatTime: formatHourAndMinute,
    })
  const save = () => {
    const name = `${toFileName(meeting.title, 'meeting')} - recap.md`
    saveTextFile(name, format().plain, 'text/markdown')
  }
  return (
    <>
      <CopyButton text={format} what="recap" showsLabel size="xs" />
      <Button variant="default" size="xs" onClick={save}>
        Export recap
      </Button>
    </>
  )
}
