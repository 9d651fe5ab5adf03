import type { TextInputProps } from '@mantine/core'
import { PasswordField } from './PasswordField.tsx'
import { PasswordStrength } from './PasswordStrength.tsx'

/** The error is shown at its field, the password strength below both. */
const ORDER: NonNullable<TextInputProps['inputWrapperOrder']> = ['label', 'input', 'error', 'description']

/** The field for a new password. `words`: what an attacker would try first. */
export const NewPassword = ({
  words: personalWords,
  value = '',
  ...field
}: TextInputProps & { value?: string; words: string[] }) => (
  <PasswordField
    autoComplete="new-password"
    inputWrapperOrder={ORDER}
    description={<PasswordStrength password={value} words={personalWords} />}
    value={value}
    {...field}
  />
)
