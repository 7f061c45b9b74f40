import { Menu } from '@mantine/core'
import { useState, type MouseEvent } from 'react'
import { copyRichText } from '../../../ui/copy/copy-text.ts'
import { formatTimeOfDay } from '../../../ui/format/time.tsx'
import { describeGap } from '../transcript/gap-mark.tsx'
import type { TranscriptStore } from '../transcript/transcript-store.ts'
import { useTranscriptLines } from '../transcript/use-transcript.ts'
import { useMeetingNotes } from './notes-context.tsx'
import { formatTranscript } from './transcript-text.ts'

/** The menu entry that copies the whole transcript. It says "Copied" until the menu closes. */
export function CopyTranscriptItem() {
  const context = useMeetingNotes()
  return context && <CopyItem transcript={context.transcript} />
}

type CopyState = 'none' | 'copied' | 'failed'

const LABELS: Record<CopyState, string> = {
  none: 'Copy transcript',
  copied: 'Copied',
  failed: 'Your browser blocked copying. Choose a file below.',
}

function CopyItem({ transcript }: { transcript: TranscriptStore }) {
  const { isLoaded, count } = useTranscriptLines(transcript)
  const [state, setState] = useState<CopyState>('none')
  async function copy({ currentTarget }: MouseEvent<HTMLButtonElement>): Promise<void> {
    const formats = { formatTime: formatTimeOfDay, describeGap }
    const text = formatTranscript(transcript.lines(), formats)
    setState((await copyRichText(text, currentTarget)) ? 'copied' : 'failed')
  }
  return (
    <>
      <Menu.Item
        closeMenuOnClick={false}
        disabled={!isLoaded || count === 0}
        onClick={(event) => void copy(event)}
      >
        {/* Not a status element, because a menu may contain only its entries. */}
        <span aria-live="polite">{LABELS[state]}</span>
      </Menu.Item>
      <Menu.Divider />
    </>
  )
}
