// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TokenBoost} from "../TokenBoost.sol";
import {PlainToken} from "./Tokens.t.sol";
import {vm} from "./Vm.t.sol";

/// @dev Deploys what the build wrote rather than a copy within the test: a changed contract can be tried without compiling its tests anew.
function deployBoost(address owner, address paymentToken, uint256 price) returns (TokenBoost boost) {
    bytes memory creation = abi.encodePacked(vm.getCode("TokenBoost"), abi.encode(owner, paymentToken, price));
    assembly {
        boost := create(0, add(creation, 32), mload(creation))
        if iszero(boost) {
            returndatacopy(0, 0, returndatasize())
            revert(0, returndatasize())
        }
    }
}

/// @dev What most tests start from: a boost costs 25 USDC and lasts a day, Alice and Bob have 10,000 USDC each and have approved it all.
abstract contract BoostTest {
    uint256 internal constant START = 1_800_000_000;
    address internal constant OWNER = address(0x0123);
    address internal constant ALICE = address(0xA11CE);
    address internal constant BOB = address(0xB0B);

    PlainToken internal usdc;
    PlainToken internal coin;
    PlainToken internal other;
    TokenBoost internal boost;

    function setUp() public virtual {
        vm.warp(START);
        usdc = new PlainToken(6);
        coin = new PlainToken(18);
        other = new PlainToken(18);
        boost = deployBoost(OWNER, address(usdc), 25_000_000);
        endow(address(usdc), ALICE, 10_000_000_000);
        endow(address(usdc), BOB, 10_000_000_000);
    }

    function endow(address token, address to, uint256 amount) internal {
        PlainToken(token).mint(to, amount);
        vm.prank(to);
        PlainToken(token).approve(address(boost), type(uint256).max);
    }

    function allow(address paymentToken) internal {
        vm.prank(OWNER);
        boost.setPaymentToken(paymentToken, true);
    }

    /// @dev Allows another payment token and gives Alice and Bob 10,000 of it.
    function take(address paymentToken) internal {
        allow(paymentToken);
        endow(paymentToken, ALICE, 10_000_000_000);
        endow(paymentToken, BOB, 10_000_000_000);
    }

    function pay(address payer, PlainToken token) internal {
        pay(payer, token, address(usdc));
    }

    function pay(address payer, PlainToken token, address paymentToken) internal {
        vm.prank(payer);
        boost.boostToken(address(token), paymentToken);
    }

    function pause() internal {
        vm.prank(OWNER);
        boost.pause();
    }

    function unpause() internal {
        vm.prank(OWNER);
        boost.unpause();
    }

    function remove(PlainToken token) internal {
        vm.prank(OWNER);
        boost.emergencyRemoveBoost(address(token));
    }

    function claim(address payer) internal {
        vm.prank(payer);
        boost.claimRefund(address(usdc));
    }

    function withdraw(PlainToken token) internal {
        vm.prank(OWNER);
        boost.withdrawFees(address(usdc), list(address(token)));
    }

    function list(address one) internal pure returns (address[] memory all) {
        all = new address[](1);
        all[0] = one;
    }

    function isBoosted(PlainToken token) internal view returns (bool) {
        (bool[] memory boosted,) = boost.getBatchBoostStatus(list(address(token)));
        return boosted[0];
    }

    function notOwner(address who) internal pure returns (bytes memory) {
        return abi.encodeWithSignature("OwnableUnauthorizedAccount(address)", who);
    }

    function between(uint256 value, uint256 from, uint256 to) internal pure returns (uint256) {
        return from + value % (to - from + 1);
    }
}
