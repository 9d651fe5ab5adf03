import type { TextInputProps } from '@mantine/core'
import { PasswordField } from './PasswordField.tsx'
import { PasswordStrength } from './PasswordStrength.tsx'

/** The error stands by its field, the words on its strength below both. */
const ORDER: NonNullable<TextInputProps['inputWrapperOrder']> = ['label', 'input', 'error', 'description']

/** The field for a password that somebody chooses. `words`: what a guesser would try first. */
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
