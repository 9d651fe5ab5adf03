// Installs and builds what the tests need. The first step of a test run, in a separate process so that it can be
// interrupted.
import { findBrowser } from './browser.mjs'
import { prepareCheckout } from './run.mjs'
import { findTools } from './tools.mjs'

prepareCheckout()
findTools()
findBrowser()
