// `npm run build`: builds the server and the front end, as `npm start` would.
import { findActiveRelease, home, leaveRelease, root } from './releases.mjs'
import { checkNode, prepareCheckout } from './run.mjs'

checkNode()
prepareCheckout()
const release = findActiveRelease()
if (!release) leaveRelease()
else if (root === home)
  console.log(
    `The pool runs ${release}, which "npm run upgrade" installed. It will run your builds once you check out another commit.`,
  )
