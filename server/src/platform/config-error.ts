/** A setting in the environment is invalid; the message names it and the expected value. */
export class ConfigError extends Error {}

/** Settings whose values must not appear in messages. */
const SECRET_SETTING = /SECRET|TOKEN|PASSWORD|PRIVATE|ACCESS_KEY/

/** A setting for an error message, which may end up in a log: of a secret only its length, of a URL not its password. */
export const describeSetting = (name: string, value: string): string =>
  SECRET_SETTING.test(name) ? `${name} (${value.length} characters)` : `${name}="${withoutPassword(value)}"`

/** Hides the password in a URL. */
const withoutPassword = (text: string): string => text.replace(/(:\/\/[^:@/]*):.*@/, '$1:…@')
