// The tests' own set-up (test/setup) finds or installs the browser; `npm install` does not.
module.exports = { skipDownload: true };
