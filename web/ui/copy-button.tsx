import { Button, VisuallyHidden } from '@mantine/core'
import { useTimeout } from '@mantine/hooks'
import { useState, type MouseEvent } from 'react'
import { copyText } from './copy-text.ts'
import { CheckIcon, CopyIcon } from './icons.tsx'

interface CopyButtonProps {
  text: string
  /** The name of what is copied: "Copy API key". */
  what: string
  /** Written out on the button, where no field beside it says what is meant. */
  isWordy?: boolean
  onCopied?: () => void
}

type Outcome = 'none' | 'copied' | 'refused'

export function CopyButton({ text, what, isWordy = false, onCopied }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<Outcome>('none')
  const { start } = useTimeout(() => setOutcome('none'), 4_000)

  async function copy({ currentTarget }: MouseEvent<HTMLButtonElement>): Promise<void> {
    const isCopied = await copyText(text, currentTarget)
    setOutcome(isCopied ? 'copied' : 'refused')
    start()
    if (isCopied) onCopied?.()
  }

  return (
    <>
      <Button
        variant="default"
        onClick={(event) => void copy(event)}
        leftSection={outcome === 'copied' ? <CheckIcon /> : <CopyIcon />}
      >
        {/* A hidden text and no aria-label: the field beside it alone shall answer to that label. */}
        Copy {isWordy ? what : <VisuallyHidden>{what}</VisuallyHidden>}
      </Button>
      <VisuallyHidden role="status">{OUTCOME_TEXT[outcome](what)}</VisuallyHidden>
    </>
  )
}

const OUTCOME_TEXT: Record<Outcome, (what: string) => string> = {
  none: () => '',
  copied: (what) => `Copied ${what}`,
  refused: (what) => `The browser refused to copy ${what}. Select the text and copy it by hand.`,
}
