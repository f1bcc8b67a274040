// expect: error — exports whose keys never end
module.exports = new Proxy({}, { ownKeys: () => { for (;;); }, get: () => { for (;;); } });
