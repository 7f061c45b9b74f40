import { PasswordInput, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useFieldError } from './form.tsx'

interface FieldProps {
  name: string
  label: string
  description?: ReactNode
  autoComplete?: string
  type?: 'text' | 'email'
  defaultValue?: string
  maxLength?: number
  isOptional?: boolean
  isFirst?: boolean
}

export function TextField({ isOptional = false, isFirst = false, ...field }: FieldProps) {
  return (
    <TextInput
      {...field}
      error={useFieldError(field.name)}
      required={!isOptional}
      withAsterisk={false}
      data-autofocus={isFirst || undefined}
    />
  )
}

interface PasswordFieldProps {
  name: string
  label: string
  description?: ReactNode
  autoComplete: 'current-password' | 'new-password'
}

export function PasswordField(field: PasswordFieldProps) {
  return (
    <PasswordInput
      {...field}
      error={useFieldError(field.name)}
      required
      withAsterisk={false}
      maxLength={1024}
      visibilityToggleFocusable
      // Not "show password": the field alone shall answer to that word.
      visibilityToggleButtonProps={{ 'aria-label': 'Show what I typed' }}
    />
  )
}

export const PASSWORD_ADVICE =
  'Long beats complicated: 15 characters or more, for example four unrelated words. Spaces are fine.'
