// The browser is found or installed by the tests' own set-up (test/setup), never by `npm install`.
module.exports = { skipDownload: true };
