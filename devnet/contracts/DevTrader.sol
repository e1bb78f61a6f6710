// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IERC20 {
    function transfer(address to, uint256 amount) external returns (bool);
}

interface IUniswapV3Pool {
    function token0() external view returns (address);
    function token1() external view returns (address);
    function swap(address recipient, bool zeroForOne, int256 amountSpecified, uint160 sqrtPriceLimitX96, bytes calldata data) external;
    function mint(address recipient, int24 tickLower, int24 tickUpper, uint128 amount, bytes calldata data) external;
    function burn(int24 tickLower, int24 tickUpper, uint128 amount) external;
    function flash(address recipient, uint256 amount0, uint256 amount1, bytes calldata data) external;
}

/// @title Does anything that a pool allows, many things in one transaction: for tests only.
/// @notice Pays from its own holdings and pays whoever asks: never hold anything of value here.
contract DevTrader {
    struct Act {
        /// 0 swap, 1 mint, 2 burn, 3 flash
        uint8 kind;
        bool zeroForOne;
        /// Swap: exact input when positive, exact output when negative. Flash: of token0, then of token1.
        int256 amount;
        /// Swap: the price's limit. Flash: what is paid back of each token on top of the fee.
        uint160 limit;
        int24 tickLower;
        int24 tickUpper;
        uint128 liquidity;
    }

    /// @notice Does the acts in order; those that the pool refuses are left out.
    function run(IUniswapV3Pool pool, Act[] calldata acts) external {
        for (uint256 i = 0; i < acts.length; i++) {
            try this.act(pool, acts[i]) {} catch {}
        }
    }

    function act(IUniswapV3Pool pool, Act calldata one) external {
        if (one.kind == 0) pool.swap(address(this), one.zeroForOne, one.amount, one.limit, "");
        else if (one.kind == 1) pool.mint(address(this), one.tickLower, one.tickUpper, one.liquidity, "");
        else if (one.kind == 2) pool.burn(one.tickLower, one.tickUpper, one.liquidity);
        else pool.flash(address(this), uint256(one.amount), uint256(one.amount) / 2, abi.encode(uint256(one.amount), uint256(one.limit)));
    }

    function uniswapV3SwapCallback(int256 owed0, int256 owed1, bytes calldata) external {
        _pay(owed0 > 0 ? uint256(owed0) : 0, owed1 > 0 ? uint256(owed1) : 0);
    }

    function uniswapV3MintCallback(uint256 owed0, uint256 owed1, bytes calldata) external {
        _pay(owed0, owed1);
    }

    function uniswapV3FlashCallback(uint256 fee0, uint256 fee1, bytes calldata data) external {
        (uint256 amount, uint256 more) = abi.decode(data, (uint256, uint256));
        _pay(amount + fee0 + more, amount / 2 + fee1 + more);
    }

    function _pay(uint256 amount0, uint256 amount1) private {
        IUniswapV3Pool pool = IUniswapV3Pool(msg.sender);
        if (amount0 > 0) IERC20(pool.token0()).transfer(msg.sender, amount0);
        if (amount1 > 0) IERC20(pool.token1()).transfer(msg.sender, amount1);
    }
}
