// `npm run build`: builds the server and the front end, as `npm start` would.
import { findActiveRelease, home, leaveRelease, root } from './releases.mjs'
import { checkNode, prepareCheckout } from './run.mjs'

checkNode()
prepareCheckout()
const release = findActiveRelease()
if (!release) leaveRelease()
else if (root === home)
  console.log(
    `The pool runs ${release}, installed by "npm run upgrade". It runs this build after you check out another commit.`,
  )
