import { Group, TextInput } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { CopyButton } from './copy-button.tsx'

interface CopyFieldProps {
  label: string
  value: string
  /** How the value is called after "Copy". */
  what: string
  description?: string
  /** Takes the focus: what stood here before is gone. */
  isFirst?: boolean
  onCopied?: () => void
}

export function CopyField({ label, value, what, description, isFirst, onCopied }: CopyFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isFirst) field.current?.focus()
  }, [isFirst])
  return (
    <Group align="flex-end" gap="xs">
      <TextInput
        ref={field}
        label={label}
        description={description}
        value={value}
        readOnly
        flex="1 1 160px"
        miw={0}
        classNames={{ input: 'secret-value' }}
        onFocus={(event) => event.currentTarget.select()}
        spellCheck={false}
        autoComplete="off"
      />
      <CopyButton text={value} what={what} {...(onCopied && { onCopied })} />
    </Group>
  )
}
