import { Group, TextInput } from '@mantine/core'
import { CopyButton } from './copy-button.tsx'

interface CopyFieldProps {
  label: string
  value: string
  /** How the value is called after "Copy". */
  what: string
  description?: string
  onCopied?: () => void
}

export function CopyField({ label, value, what, description, onCopied }: CopyFieldProps) {
  return (
    <Group align="flex-end" gap="xs" wrap="nowrap">
      <TextInput
        label={label}
        description={description}
        value={value}
        readOnly
        flex={1}
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
