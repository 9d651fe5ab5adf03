/** The texts of this module, as ICU messages (docs/decisions/0031-texts.md). */

export const cantReachTheServerTry = 'Can’t reach the server. Try again in a few seconds.'
export const couldntLoad = 'Couldn’t load {what}.'
export const couldntLoad2 = 'Couldn’t load {what}'
export const couldntLoadThisPage = 'Couldn’t load this page'
export const createAccount = 'Create account'
export const goHome = 'Go home'
export const membersOnly = 'Members only'
export const notFound = 'Not found'
export const reloadPage = 'Reload page'
export const savedInThisBrowserOnly = 'Saved in this browser only'
export const signIn = 'Sign in'
export const somethingWentWrongOnOur = 'Something went wrong on our side (error {status}). Try again.'
export const somethingWentWrongOrA = 'Something went wrong, or a new version is available. Reload the page.'
export const theWebServerInFront =
  'The web server in front of this pool does not accept files this large (413). Choose a smaller file, or ask the people who run the pool to allow larger requests: in nginx, client_max_body_size.'
export const tryAgain = 'Try again'
export const youreOfflineLoadedPagesStill = 'You’re offline. Loaded pages still work.'
