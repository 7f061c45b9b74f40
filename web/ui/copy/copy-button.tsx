import { Button, Text, VisuallyHidden } from '@mantine/core'
import { useTimeout } from '@mantine/hooks'
import { useState, type MouseEvent } from 'react'
import { copyText } from './copy-text.ts'
import { CheckIcon, CopyIcon } from '../icons.tsx'

interface CopyButtonProps {
  text: string
  /** The name of what is copied: "Copy API key". */
  what: string
  /** Written out on the button, where no field beside it says what is meant. */
  isWordy?: boolean
  size?: 'xs' | 'sm'
  onCopied?: () => void
}

type CopyResult = 'none' | 'copied' | 'refused'

export function CopyButton({
  text,
  what,
  isWordy = false,
  size = 'sm',
  onCopied,
}: CopyButtonProps) {
  const [outcome, setOutcome] = useState<CopyResult>('none')
  const { start } = useTimeout(() => setOutcome('none'), 4_000)

  async function copy({ currentTarget }: MouseEvent<HTMLButtonElement>): Promise<void> {
    const isCopied = await copyText(text, currentTarget)
    setOutcome(isCopied ? 'copied' : 'refused')
    if (!isCopied) return
    start()
    onCopied?.()
  }

  return (
    <>
      <Button
        variant="default"
        size={size}
        onClick={(event) => void copy(event)}
        leftSection={outcome === 'copied' ? <CheckIcon /> : <CopyIcon />}
      >
        {/* A hidden text and no aria-label: the field beside it alone shall answer to that label. */}
        Copy {isWordy ? what : <VisuallyHidden>{what}</VisuallyHidden>}
      </Button>
      {/* The tick on the button says it to those who see it; a refusal needs words for everybody. */}
      {outcome === 'refused' ? (
        <Text role="alert" size="sm" c="var(--mantine-color-error)" flex="1 0 100%">
          The browser refused to copy. Select the text and copy it by hand.
        </Text>
      ) : (
        <VisuallyHidden role="status">{outcome === 'copied' && `Copied ${what}`}</VisuallyHidden>
      )}
    </>
  )
}
